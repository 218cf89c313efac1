// Package auth holds people, roles, the permission matrix and the rules of a session.
// It is pure: no SQL, no HTTP, no clock.
package auth

// Permission is a right that a route or a field needs. Routes name one each.
type Permission string

// The permissions. Public needs no sign-in; SignedIn any role.
const (
	Public          Permission = "public"
	SignedIn        Permission = "signed_in"
	ReadQuotes      Permission = "quotes.read"
	EditQuotes      Permission = "quotes.edit" // own quotes, unless the role says all
	ApproveQuotes   Permission = "quotes.approve"
	SeeMargin       Permission = "margin.see" // cost and margin
	ReadCustomers   Permission = "customers.read"
	EditCustomers   Permission = "customers.edit"
	ReadStock       Permission = "stock.read"
	EditStock       Permission = "stock.edit"
	EditPrices      Permission = "prices.edit" // price lists, floors, FX, tax, cloud offers
	ReadFloor       Permission = "floor.see"   // the floor price as a figure
	EditCompany     Permission = "company.edit"
	ManageUsers     Permission = "users.manage"
	ReadAudit       Permission = "audit.read"
	RunImports      Permission = "imports.run"
	SeeInternalData Permission = "internal.see" // stock counts and other staff-only figures
)
