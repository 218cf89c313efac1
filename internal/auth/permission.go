package auth

// Permission is a right that a route or a field needs. Routes name one each.
type Permission string

// The permissions. Public needs no sign-in; SignedIn any role.
const (
	Public          Permission = "public"
	SignedIn        Permission = "signed_in"
	ReadQuotes      Permission = "quotes.read"
	EditQuotes      Permission = "quotes.edit"          // own quotes
	EditAnyQuote    Permission = "quotes.edit_any"      // other people's quotes too
	ApproveQuotes   Permission = "quotes.approve"       // margin and discount exceptions
	ApproveFloor    Permission = "quotes.approve_floor" // lines below the floor price
	RecordLicence   Permission = "export.licence"       // the reference of an export licence
	SeeMargin       Permission = "margin.see"           // cost and margin
	ReadCustomers   Permission = "customers.read"
	EditCustomers   Permission = "customers.edit"
	ReadStock       Permission = "stock.read"
	EditStock       Permission = "stock.edit"
	ReadPrices      Permission = "prices.read" // price lists, FX and tax rates
	EditPrices      Permission = "prices.edit" // price lists, floors, FX, tax, cloud offers
	ReadFloor       Permission = "floor.see"   // the floor price as a figure
	EditCompany     Permission = "company.edit"
	ManageUsers     Permission = "users.manage"
	ReadAudit       Permission = "audit.read"
	RunImports      Permission = "imports.run"
	SeeInternalData Permission = "internal.see" // stock counts and other staff-only figures
)

// Permissions lists every permission once, in the order of the matrix.
var Permissions = []Permission{
	Public, SignedIn, ReadQuotes, EditQuotes, EditAnyQuote, ApproveQuotes, ApproveFloor, RecordLicence, SeeMargin,
	ReadCustomers, EditCustomers, ReadStock, EditStock, ReadPrices, EditPrices, ReadFloor,
	EditCompany, ManageUsers, ReadAudit, RunImports, SeeInternalData,
}

// matrix says which roles hold a permission. Public and SignedIn are not in it: they
// depend on whether somebody is signed in and not on the role.
//
// Three absences are rules and not omissions: stock holds nothing that shows a sales price
// or a margin, admin holds no right to approve, and sales cannot record the export licence
// that unblocks a quote of theirs; that is a lead's, as other exceptions are.
var matrix = map[Permission][]Role{
	ReadQuotes:      {Sales, Lead, Pricing, Admin},
	EditQuotes:      {Sales, Lead},
	EditAnyQuote:    {Lead},
	ApproveQuotes:   {Lead},
	ApproveFloor:    {Pricing},
	RecordLicence:   {Lead},
	SeeMargin:       {Lead, Pricing, Admin},
	ReadCustomers:   {Sales, Lead, Pricing, Admin},
	EditCustomers:   {Sales, Lead},
	ReadStock:       {Sales, Lead, Stock, Pricing, Admin},
	EditStock:       {Stock},
	ReadPrices:      {Sales, Lead, Pricing, Admin},
	EditPrices:      {Pricing},
	ReadFloor:       {Lead, Pricing, Admin},
	EditCompany:     {Admin},
	ManageUsers:     {Admin},
	ReadAudit:       {Admin},
	RunImports:      {Pricing},
	SeeInternalData: {Sales, Lead, Stock, Pricing, Admin},
}

// Allows reports whether a role holds a permission.
func (r Role) Allows(p Permission) bool {
	switch p {
	case Public:
		return true
	case SignedIn:
		return r != Visitor
	}
	for _, holder := range matrix[p] {
		if holder == r {
			return true
		}
	}
	return false
}
