package quote

// ForCustomer returns the content without what is ours alone: cost, floor, who changed a price, market and
// list prices, internal notes, control classes and the licence (R12). It is what the public page
// and the PDF are made from.
func (c Content) ForCustomer() Content {
	lines := make([]Line, len(c.Lines))
	for i, l := range c.Lines {
		l.Cost, l.Floor, l.Override, l.List, l.ControlTo = nil, nil, nil, ListPrice{}, ""
		lines[i] = l
	}
	c.Lines = lines
	c.InternalNote, c.LicenceRef, c.Customer.Group = "", "", ""
	return c
}
