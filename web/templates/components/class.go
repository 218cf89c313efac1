package components

import "rackwright/internal/view"

// Classes are looked up, not pasted together, so that a name can be searched for in the
// style sheets and a wrong kind shows as the plain form.

var badgeKinds = map[string]string{
	"stock": "badge-stock", "lead": "badge-lead", "out": "badge-out", "stale": "badge-stale",
	"conflict": "badge-conflict", "wrong": "badge-wrong", "hypo": "badge-hypo", "used": "badge-used",
	"ok": "badge-ok", "wait": "badge-wait", "bad": "badge-bad", "draft": "badge-draft",
	"viewed": "badge-viewed", "sent": "badge-sent",
}

var noticeKinds = map[string]string{"ok": "notice-ok", "warn": "notice-warn", "bad": "notice-bad"}

var buttonKinds = map[string]string{"main": "btn-main", "quiet": "btn-quiet", "bad": "btn-bad"}

var gateStates = map[string]string{"open": "is-open", "note": "is-note", "stop": "is-stop"}

func badgeClass(kind string) string  { return badgeKinds[kind] }
func noticeClass(kind string) string { return noticeKinds[kind] }
func gateClass(state string) string  { return gateStates[state] }

func buttonClass(b view.Button) string {
	class := "btn"
	if kind := buttonKinds[b.Kind]; kind != "" {
		class += " " + kind
	}
	if b.Small {
		class += " btn-small"
	}
	return class
}

func confidenceClass(level int) string {
	switch level {
	case 1:
		return "conf-1"
	case 2:
		return "conf-2"
	case 3:
		return "conf-3"
	}
	return ""
}
