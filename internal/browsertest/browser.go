// Package browsertest drives a real headless Chromium in tests. A page that writes an
// error to its console fails its test: that alone catches every break of the content
// security policy. The package is for tests only.
package browsertest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// stepTimeout is how long one step may take on a busy machine.
const stepTimeout = 30 * time.Second

// Page is one tab of a browser of its own.
type Page struct {
	t   *testing.T
	ctx context.Context
}

// New starts a browser with a window of the given size, in CSS pixels, and the languages
// of acceptLanguage. It ends with the test. A machine without Chromium fails the test:
// `make test` installs one.
func New(t *testing.T, width, height int, acceptLanguage string) *Page {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(width, height),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("accept-lang", acceptLanguage),
	)
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	p := &Page{t: t, ctx: ctx}
	var console <-chan struct{}
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Logf("closing the browser: %v", err)
		}
		cancel()
		cancelAlloc()
		if console != nil {
			<-console
		}
	})
	// The first run starts the browser, which lives as long as the context of that run.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(int64(width), int64(height))); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	console = p.watchConsole()
	return p
}

func binary() (string, error) {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium found; install the package chromium or set CHROMIUM to its path")
}

// watchConsole turns console errors into test failures. The channel closes with the page.
func (p *Page) watchConsole() <-chan struct{} {
	messages := chromedp.Console(p.ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == "error" || m.Type == chromedp.ConsoleException {
				p.t.Errorf("console of the page: %s", m.Text)
			}
		}
	}()
	return done
}

func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.snapshot()
		p.t.Fatalf("%s: %v", what, err)
	}
}

func get[T any](p *Page, what string, a chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, stepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		p.snapshot()
		p.t.Fatalf("%s: %v", what, err)
	}
	return v
}

// snapshot keeps a picture of the page where a step failed, in the folder SCREENSHOTS if set.
func (p *Page) snapshot() {
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" || p.ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, stepTimeout)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(90))
	if err != nil {
		return
	}
	name := filepath.Join(dir, filepath.Base(p.t.Name())+"-failed.png")
	if err := os.WriteFile(name, png, 0o600); err == nil {
		p.t.Logf("picture of the page: %s", name)
	}
}

// Goto opens an address and waits until it has loaded.
func (p *Page) Goto(url string) {
	p.t.Helper()
	p.do("open "+url, chromedp.Navigate(url))
}

// Click clicks the first element that a CSS selector finds, once it can be seen.
func (p *Page) Click(css string) {
	p.t.Helper()
	p.do("click "+css, chromedp.ScrollIntoView(chromedp.CSS(css)), chromedp.Click(chromedp.CSS(css), chromedp.NodeVisible))
}

// ClickTo clicks a link or a button that leads to another page and waits until that has loaded.
//
// The load event that ends RunResponse may still be that of the page before, so the page before
// is marked, and the wait goes on until a page without the mark is complete.
func (p *Page) ClickTo(css string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, stepTimeout)
	defer cancel()
	p.Eval(`document.documentElement.dataset.left = "yes"`)
	_, err := chromedp.RunResponse(ctx,
		chromedp.ScrollIntoView(chromedp.CSS(css)), chromedp.Click(chromedp.CSS(css), chromedp.NodeVisible))
	for err == nil {
		// A page that goes away while it is asked answers with an error: ask the next one.
		whole, _ := chromedp.Run(ctx, chromedp.Evaluate[bool](
			`document.readyState === "complete" && document.documentElement.dataset.left === undefined`))
		if whole {
			return
		}
		time.Sleep(20 * time.Millisecond)
		err = ctx.Err()
	}
	p.snapshot()
	p.t.Fatalf("click %s and wait for the next page: %v", css, err)
}

// Fill replaces the content of a text field as a person would: focus, select all, type.
func (p *Page) Fill(css, value string) {
	p.t.Helper()
	sel := chromedp.CSS(css)
	p.do("fill "+css, chromedp.WaitVisible(sel), chromedp.ScrollIntoView(sel), chromedp.Clear(sel), chromedp.SendKeys(sel, value))
}

// Blur leaves a field, which fires its change event.
func (p *Page) Blur(css string) {
	p.t.Helper()
	p.do("leave "+css, chromedp.Blur(chromedp.CSS(css)))
}

// Select chooses an option of a select by its value and fires its change event.
func (p *Page) Select(css, value string) {
	p.t.Helper()
	ok := get(p, "select "+value+" in "+css, chromedp.Evaluate[bool](`(() => {
		const s = document.querySelector(`+quote(css)+`);
		s.value = `+quote(value)+`;
		s.dispatchEvent(new Event("input", {bubbles: true}));
		s.dispatchEvent(new Event("change", {bubbles: true}));
		return s.value === `+quote(value)+`;
	})()`))
	if !ok {
		p.t.Fatalf("select %s: no option %q", css, value)
	}
}

// Text returns the text of the first element that a CSS selector finds, as shown.
func (p *Page) Text(css string) string {
	p.t.Helper()
	return get(p, "read "+css, chromedp.Text(chromedp.CSS(css), chromedp.NodeVisible))
}

// Value returns what a form control holds.
func (p *Page) Value(css string) string {
	p.t.Helper()
	return get(p, "read the value of "+css, chromedp.Value(chromedp.CSS(css)))
}

// Attr returns an attribute of the first element that a CSS selector finds.
func (p *Page) Attr(css, name string) string {
	p.t.Helper()
	r := get(p, "read "+name+" of "+css, chromedp.AttributeValue(chromedp.CSS(css), name))
	return r.Value
}

// URL returns the address of the page.
func (p *Page) URL() string {
	p.t.Helper()
	return get(p, "read the address", chromedp.Location())
}

// Has reports whether the page holds an element now.
func (p *Page) Has(css string) bool {
	p.t.Helper()
	return get(p, "look for "+css, chromedp.Evaluate[bool](`document.querySelector(`+quote(css)+`) !== null`))
}

// WaitFor waits until an element can be seen.
func (p *Page) WaitFor(css string) {
	p.t.Helper()
	p.do("wait for "+css, chromedp.WaitVisible(chromedp.CSS(css)))
}

// WaitText waits until the text of an element satisfies ok and returns it.
func (p *Page) WaitText(css string, ok func(string) bool) string {
	p.t.Helper()
	var text string
	for end := time.Now().Add(stepTimeout); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		text = get(p, "read "+css, chromedp.Evaluate[string](
			`(document.querySelector(`+quote(css)+`) || {textContent: ""}).textContent.trim()`))
		if ok(text) {
			return text
		}
	}
	p.snapshot()
	p.t.Fatalf("%s never showed what was waited for; last text %q", css, text)
	return ""
}

// Eval runs a script in the page and returns its text.
func (p *Page) Eval(script string) string {
	p.t.Helper()
	return get(p, "run a script", chromedp.Evaluate[string](script))
}

// Resize changes the size of the window, in CSS pixels.
func (p *Page) Resize(width, height int) {
	p.t.Helper()
	p.do("resize the window", chromedp.EmulateViewport(int64(width), int64(height)))
}

// Viewport returns what the window shows as a PNG.
func (p *Page) Viewport() []byte {
	p.t.Helper()
	return get(p, "take a picture", chromedp.CaptureScreenshot())
}

// Screenshot returns the whole page as a PNG.
func (p *Page) Screenshot() []byte {
	p.t.Helper()
	return get(p, "take a picture", chromedp.FullScreenshot(100))
}
