// Small comforts of every page. Nothing here is needed: each page works without it.
"use strict";

(() => {
  const typing = (el) => el instanceof HTMLElement &&
    (el.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(el.tagName));

  // "/" goes to the search box, as in the tools that engineers know.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const box = document.getElementById("find");
    if (!box) return;
    event.preventDefault();
    box.focus();
    box.select();
  });

  // A message after an action can be closed.
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-close]");
    if (button) button.closest("[data-closable]")?.remove();
  });

  // A second click on a form that is under way sends nothing; the server would answer it
  // with the first result anyway. Coming back to the page frees the form again.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.target === "_blank") return;
    if (form.dataset.sending) {
      event.preventDefault();
      return;
    }
    form.dataset.sending = "yes";
  });
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sending]")) delete form.dataset.sending;
  });
})();
