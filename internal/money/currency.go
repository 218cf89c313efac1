package money

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Currency is an ISO 4217 alphabetic code in upper case, for example "USD".
type Currency string

// ErrCurrency is returned for a code that ISO 4217 does not list as money in use.
var ErrCurrency = errors.New("not a currency of ISO 4217")

// ErrMixedCurrency is returned where two amounts of different currencies meet.
var ErrMixedCurrency = errors.New("amounts of different currencies")

// currencies lists the active codes of ISO 4217 by the number of decimals of their minor unit.
// Source: ISO 4217 list one (SIX Financial Information, maintenance agency), as of 2026; precious
// metals, test codes and settlement units without a minor unit are left out. The test compares
// the decimals with CLDR's copy.
var currencies = map[int]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD " +
		"CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP " +
		"GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK " +
		"LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO " +
		"NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS " +
		"SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST " +
		"XAD XCD XCG YER ZAR ZMW ZWG",
	3: "BHD IQD JOD KWD LYD OMR TND",
	4: "CLF UYW",
}

var decimalsByCode = indexCurrencies()

func indexCurrencies() map[Currency]int {
	index := map[Currency]int{}
	for decimals, codes := range currencies {
		for code := range strings.FieldsSeq(codes) {
			index[Currency(code)] = decimals
		}
	}
	return index
}

// ParseCurrency reads an ISO 4217 code; lower case and surrounding spaces are accepted.
func ParseCurrency(s string) (Currency, error) {
	c := Currency(strings.ToUpper(strings.TrimSpace(s)))
	if !c.Valid() {
		return "", fmt.Errorf("%w: %.10q", ErrCurrency, s)
	}
	return c, nil
}

// Valid reports whether ISO 4217 lists the code.
func (c Currency) Valid() bool { _, ok := decimalsByCode[c]; return ok }

// Decimals returns the number of decimals of the currency's minor unit: USD 2, JPY 0, KWD 3. For
// a code that is not Valid it returns 2; codes are checked where they enter.
func (c Currency) Decimals() int {
	if n, ok := decimalsByCode[c]; ok {
		return n
	}
	return 2
}

// Currencies returns all codes in alphabetical order, for a list to choose from.
func Currencies() []Currency {
	all := make([]Currency, 0, len(decimalsByCode))
	for c := range decimalsByCode {
		all = append(all, c)
	}
	slices.Sort(all)
	return all
}
