package demo

import (
	"fmt"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// client is a customer of the demo with what its quotes are written in.
type client struct {
	quote.Customer
	lang     string
	currency money.Currency
	tax      quote.Tax
}

// Keys of customers.
const (
	harbour   = "harbour"
	beispiel  = "beispiel"
	chendao   = "chendao"
	xingwan   = "xingwan"
	northgate = "northgate"
	yunling   = "yunling"
)

// clients are invented, and their names say so.
var clients = map[string]client{
	harbour: {customer("Harbour Loop Research Pte. Ltd. (demo)", "20 Example Quay\nSingapore 000000", "SG", "DEMO-SG-0001",
		quote.Contact{Name: "Priya Nair", JobTitle: "Head of infrastructure", Email: "priya.nair@example.com"}), "en", base, gst},
	beispiel: {customer("Beispiel Rechenwerk GmbH (Demo)", "Musterstraße 1\n00000 Musterstadt", "DE", "DEMO-DE-0002",
		quote.Contact{Name: "Jonas Weber", JobTitle: "IT procurement", Email: "jonas.weber@example.com"}), "en", "EUR", export},
	chendao: {customer("晨島運算股份有限公司（示範）", "臺北市示範區示範路 1 號", "TW", "00000000",
		quote.Contact{Name: "林雅雯", JobTitle: "資訊部經理", Email: "yawen.lin@example.com"}), "zh-Hant", "TWD", export},
	xingwan: {customer("星湾智算私人有限公司（演示）", "新加坡示例路 8 号\nSingapore 000000", "SG", "DEMO-SG-0003",
		quote.Contact{Name: "陈思远", JobTitle: "平台负责人", Email: "siyuan.chen@example.com"}), "zh-Hans", "SGD", gst},
	northgate: {customer("Northgate Polytechnic (demo)", "3 Example Walk\nExampleton EX0 0AA", "GB", "DEMO-GB-0004",
		quote.Contact{Name: "Hannah Price", JobTitle: "Research computing manager", Email: "hannah.price@example.com"}), "en", base, export},
	yunling: {customer("云岭智能科技（上海）有限公司（演示）", "上海市示例区示例路 5 号", "CN", "DEMO-CN-0005",
		quote.Contact{Name: "赵一鸣", JobTitle: "采购经理", Email: "yiming.zhao@example.com"}), "zh-Hans", "CNY", export},
}

func customer(name, address, country, tax string, contact quote.Contact) quote.Customer {
	return quote.Customer{Name: name, Address: address, Country: country, TaxNumber: tax, Note: invented, Contacts: []quote.Contact{contact}}
}

// meet creates the customers, in a fixed order.
func (s *seeder) meet() error {
	for _, key := range []string{harbour, beispiel, chendao, xingwan, northgate, yunling} {
		c := clients[key]
		id, err := s.db.CreateCustomer(s.ctx, s.sales.ID, "", c.Customer)
		if err != nil {
			return fmt.Errorf("customer %s: %w", key, err)
		}
		if c.Customer, err = s.db.Customer(s.ctx, id); err != nil {
			return fmt.Errorf("customer %s: %w", key, err)
		}
		s.customers[key] = c
	}
	return nil
}
