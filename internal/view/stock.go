package view

// StockPage shows what is where, what is kept for whom, and the forms that move it.
type StockPage struct {
	Page
	Search   Field
	Filtered bool
	Groups   []StockGroup
	Reserved []StockReservation
	Moves    []StockMove
	Receive  *StockForm // nil for people who may not move stock
	Move     *StockForm
	NewPlace *StockForm
	MayQuote bool // the person may open quotes
}

// StockGroup is the stock of one kind of product.
type StockGroup struct {
	Title string
	Rows  []StockRow
}

// StockRow is one SKU at one place.
type StockRow struct {
	SKU       string
	Href      string
	Name      string
	OnHand    string
	Reserved  string
	Available string
	Bar       StockBar
}

// StockBar draws available and reserved to one scale for the whole table.
type StockBar struct {
	Title        string
	AvailableW   string // width in the drawing's units
	ReservedX    string
	ReservedW    string
	HasAvailable bool
	HasReserved  bool
}

// StockReservation is stock kept for a revision of a quote.
type StockReservation struct {
	Quote    string
	Revision string
	Href     string
	SKU      string
	Place    string
	Quantity string
	Until    string
}

// StockMove is one row of the ledger.
type StockMove struct {
	When     string
	ISO      string
	Kind     string
	SKU      string
	Place    string
	Quantity string
	Note     string
	Who      string
}

// StockForm is one of the two forms that change stock.
type StockForm struct {
	ID     string
	Title  string
	Action string
	Key    string
	Submit string
	Faults []Fault
	Fields []Field
}
