// Comforts of the quote editor. Prices are computed by the server only: nothing here reads
// or changes a figure, and the page works without this file.
"use strict";

(() => {
  const form = document.querySelector("form[data-quote-form]");

  // A link that is shown once is selected as a whole when it gets the focus.
  document.addEventListener("focusin", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.matches("[data-select-all]")) event.target.select();
  });

  if (!form) return;

  // Ctrl+S, or Cmd+S, saves the draft.
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("button[name=do][value=save]"));
  });

  // Leaving the page with unsaved changes asks first.
  const state = () => new URLSearchParams(new FormData(form)).toString();
  const saved = state();
  let leaving = false;
  form.addEventListener("submit", () => { leaving = true; });
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && state() !== saved) event.preventDefault();
  });
  window.addEventListener("pageshow", () => { leaving = false; });
})();
