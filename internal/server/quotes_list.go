package server

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rackwright/internal/auth"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// quotePageSize is how many quotes a page of the list has.
const quotePageSize = 50

// expiringDays is how soon the view "expiring" looks ahead.
const expiringDays = 7

// savedView is a filter that everybody has.
type savedView struct {
	key    string
	label  string // message id
	filter quote.Filter
}

var savedViews = []savedView{
	{"", "quote.view_all", quote.Filter{}},
	{"drafts", "quote.view_drafts", quote.Filter{States: []quote.State{quote.Draft, quote.Awaiting, quote.Approved}}},
	{"sent", "quote.state_sent", quote.Filter{States: []quote.State{quote.Sent}}},
	{"expiring", "quote.expiring_soon", quote.Filter{States: []quote.State{quote.Sent}, Expiring: expiringDays}},
	{"accepted", "quote.state_accepted", quote.Filter{States: []quote.State{quote.Accepted}}},
}

// quoteQuery is what the address of the list asks for.
type quoteQuery struct {
	view   savedView
	state  quote.State // "" is any
	filter quote.Filter
}

// readQuoteQuery reads the address of the list. What is not understood does not filter.
func readQuoteQuery(q url.Values) quoteQuery {
	out := quoteQuery{view: savedViews[0]}
	for _, v := range savedViews {
		if v.key == q.Get("view") {
			out.view = v
		}
	}
	out.filter = out.view.filter
	if s, ok := quote.ParseState(q.Get("state")); ok {
		out.state = s
		out.filter.States = []quote.State{s}
		if s != quote.Sent {
			out.filter.Expiring = 0
		}
	}
	search := strings.TrimSpace(q.Get("q"))
	if r := []rune(search); len(r) > quote.MaxShort {
		search = string(r[:quote.MaxShort])
	}
	if storable(search) {
		out.filter.Search = search
	}
	out.filter.Limit = quotePageSize
	out.filter.Before = readCursor(q.Get("after"))
	return out
}

// readCursor reads the place in the list at which a page begins.
func readCursor(s string) quote.Cursor {
	var c quote.Cursor
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || json.Unmarshal(b, &c) != nil {
		return quote.Cursor{}
	}
	return c
}

func cursorText(c quote.Cursor) string {
	b, err := json.Marshal(c)
	if err != nil {
		return "" // a time outside four digits of years; the list then starts anew
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// quoteList shows the quotes, the latest change first.
func (s *Server) quoteList(w http.ResponseWriter, r *http.Request) error {
	query := readQuoteQuery(r.URL.Query())
	list, err := s.store.Quotes(r.Context(), query.filter)
	if err != nil {
		return err
	}
	counts, err := s.store.QuoteCounts(r.Context(), quote.Filter{Search: query.filter.Search})
	if err != nil {
		return err
	}
	zone, err := s.companyZone(r.Context())
	if err != nil {
		return err
	}
	p := s.pageT(r, "navigation.quotes")
	v := view.QuoteListPage{
		Page: p, View: query.view.key, MayEdit: s.can(r, auth.EditQuotes),
		Filtered: query.filter.Search != "" || query.state != "" || query.view.key != "",
		Rows:     view.NewQuoteRows(p, list.Rows, s.now(), zone),
		Tabs:     quoteTabs(p, query, counts),
	}
	v.Search, v.States = view.QuoteListForm(p, query.filter.Search, query.state)
	v.Pager = quotePager(p, r.URL.Query(), list)
	w.Header().Set("Cache-Control", "no-store")
	return s.render(w, r, http.StatusOK, pages.QuoteList(v))
}

// quoteTabs lists the saved views, with the number of quotes where the states alone tell it.
func quoteTabs(p view.Page, query quoteQuery, counts map[quote.State]int) []view.Tab {
	var tabs []view.Tab
	for _, v := range savedViews {
		q := url.Values{}
		if v.key != "" {
			q.Set("view", v.key)
		}
		if query.filter.Search != "" {
			q.Set("q", query.filter.Search)
		}
		tab := view.Tab{Label: p.T(v.label), Href: listURL(q), Current: v.key == query.view.key}
		if v.filter.Expiring == 0 {
			n := 0
			for state, c := range counts {
				if len(v.filter.States) == 0 || slices.Contains(v.filter.States, state) {
					n += c
				}
			}
			tab.Count = view.Int(p.L.Lang(), int64(n))
		}
		tabs = append(tabs, tab)
	}
	return tabs
}

func listURL(q url.Values) string {
	if len(q) == 0 {
		return "/quotes"
	}
	return "/quotes?" + q.Encode()
}

// quotePager leads on by key; back leads to the first page, because a list that others
// change has no fixed page before this one.
func quotePager(p view.Page, q url.Values, list quote.List) view.Pager {
	pager := view.Pager{Shown: p.N("quote.shown", len(list.Rows))}
	if q.Get("after") != "" {
		q.Del("after")
		pager.Prev = listURL(q)
	}
	if list.Next != nil {
		q.Set("after", cursorText(*list.Next))
		pager.Next = listURL(q)
	}
	return pager
}
