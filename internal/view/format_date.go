package view

import (
	"fmt"
	"time"

	"rackwright/internal/i18n"
)

// Date returns a day as sentences and documents write it: 30 November 2026, 2026年11月30日.
// The time's own zone decides the day.
func Date(l i18n.Lang, t time.Time) string {
	if l == i18n.English {
		return t.Format("2 January 2006")
	}
	return t.Format("2006年1月2日")
}

// DateShort returns a day as tables write it, in every language: 2026-11-30.
func DateShort(t time.Time) string { return t.Format(time.DateOnly) }

// DateMedium returns a day for narrow places: 30 Nov 2026, 2026/11/30.
func DateMedium(l i18n.Lang, t time.Time) string {
	if l == i18n.English {
		return t.Format("2 Jan 2006")
	}
	return t.Format("2006/1/2")
}

// Weekday returns a day with its day of the week: Monday, 30 November 2026.
func Weekday(l i18n.Lang, t time.Time) string {
	day := "星期" + string([]rune("日一二三四五六")[t.Weekday()])
	switch l {
	case i18n.Simplified:
		return Date(l, t) + day
	case i18n.Traditional:
		return Date(l, t) + " " + day
	}
	return t.Format("Monday, 2 January 2006")
}

// Month returns a month: November 2026, 2026年11月.
func Month(l i18n.Lang, t time.Time) string {
	if l == i18n.English {
		return t.Format("January 2006")
	}
	return t.Format("2006年1月")
}

// Clock returns a time of the day: 14:05.
func Clock(t time.Time) string { return t.Format("15:04") }

// DateTime returns a moment with its zone, for deadlines and records:
// 30 Nov 2026, 14:05 (UTC+8).
func DateTime(l i18n.Lang, t time.Time) string {
	if l == i18n.English {
		return DateMedium(l, t) + ", " + Clock(t) + " (" + Zone(t) + ")"
	}
	return DateMedium(l, t) + " " + Clock(t) + "（" + Zone(t) + "）"
}

// Zone returns the offset of a time as people write it: UTC, UTC+8, UTC−3:30.
func Zone(t time.Time) string {
	_, seconds := t.Zone()
	if seconds == 0 {
		return "UTC"
	}
	sign := "+"
	if seconds < 0 {
		sign, seconds = minus, -seconds
	}
	hours, minutes := seconds/3600, seconds/60%60
	if minutes == 0 {
		return fmt.Sprintf("UTC%s%d", sign, hours)
	}
	return fmt.Sprintf("UTC%s%d:%02d", sign, hours, minutes)
}

// Machine returns a moment for the datetime attribute of a time element.
func Machine(t time.Time) string { return t.UTC().Format(time.RFC3339) }
