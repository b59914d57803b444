package ontology

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Unit is a unit of measurement. A number of it is the number times Factor plus Offset in
// the unit of its dimension without either.
type Unit struct {
	UCUM      string // its code in the Unified Code for Units of Measure, case sensitive
	QUDT      string // its local name in the QUDT vocabulary of units
	Dimension string
	Factor    float64
	Offset    float64
	Symbol    string // as it is written after a number, "" for none
}

// Units lists the units that are known. The factors are those of QUDT
// (https://qudt.org/vocab/unit/), the codes those of UCUM (https://ucum.org/ucum).
func Units() []Unit { return slices.Clone(units) }

var units = []Unit{
	{"1", "UNITLESS", "number", 1, 0, ""}, {"%", "PERCENT", "number", 0.01, 0, "%"}, {"[ppm]", "PPM", "number", 1e-6, 0, "ppm"},
	{"Cel", "DEG_C", "temperature", 1, 273.15, "°C"}, {"[degF]", "DEG_F", "temperature", 5.0 / 9, 459.67 * 5 / 9, "°F"}, {"K", "K", "temperature", 1, 0, "K"},
	{"s", "SEC", "time", 1, 0, "s"}, {"ms", "MilliSEC", "time", 1e-3, 0, "ms"}, {"us", "MicroSEC", "time", 1e-6, 0, "µs"},
	{"min", "MIN", "time", 60, 0, "min"}, {"h", "HR", "time", 3600, 0, "h"}, {"d", "DAY", "time", 86400, 0, "d"},
	{"m", "M", "length", 1, 0, "m"}, {"km", "KiloM", "length", 1e3, 0, "km"}, {"cm", "CentiM", "length", 1e-2, 0, "cm"}, {"mm", "MilliM", "length", 1e-3, 0, "mm"},
	{"um", "MicroM", "length", 1e-6, 0, "µm"}, {"[in_i]", "IN", "length", 0.0254, 0, "in"}, {"[ft_i]", "FT", "length", 0.3048, 0, "ft"},
	{"m2", "M2", "area", 1, 0, "m²"}, {"cm2", "CentiM2", "area", 1e-4, 0, "cm²"}, {"mm2", "MilliM2", "area", 1e-6, 0, "mm²"},
	{"L", "L", "volume", 1e-3, 0, "L"}, {"dL", "DeciL", "volume", 1e-4, 0, "dL"}, {"cL", "CentiL", "volume", 1e-5, 0, "cL"}, {"mL", "MilliL", "volume", 1e-6, 0, "mL"},
	{"uL", "MicroL", "volume", 1e-9, 0, "µL"}, {"nL", "NanoL", "volume", 1e-12, 0, "nL"}, {"m3", "M3", "volume", 1, 0, "m³"}, {"cm3", "CentiM3", "volume", 1e-6, 0, "cm³"},
	{"kg", "KiloGM", "mass", 1, 0, "kg"}, {"g", "GM", "mass", 1e-3, 0, "g"}, {"mg", "MilliGM", "mass", 1e-6, 0, "mg"}, {"ug", "MicroGM", "mass", 1e-9, 0, "µg"}, {"t", "TONNE", "mass", 1e3, 0, "t"},
	{"N", "N", "force", 1, 0, "N"}, {"mN", "MilliN", "force", 1e-3, 0, "mN"}, {"kN", "KiloN", "force", 1e3, 0, "kN"}, {"N.m", "N-M", "torque", 1, 0, "Nm"}, {"mN.m", "MilliN-M", "torque", 1e-3, 0, "mNm"},
	{"Pa", "PA", "pressure", 1, 0, "Pa"}, {"hPa", "HectoPA", "pressure", 100, 0, "hPa"}, {"kPa", "KiloPA", "pressure", 1e3, 0, "kPa"}, {"MPa", "MegaPA", "pressure", 1e6, 0, "MPa"}, {"bar", "BAR", "pressure", 1e5, 0, "bar"}, {"mbar", "MilliBAR", "pressure", 100, 0, "mbar"},
	{"V", "V", "voltage", 1, 0, "V"}, {"mV", "MilliV", "voltage", 1e-3, 0, "mV"}, {"A", "A", "current", 1, 0, "A"}, {"mA", "MilliA", "current", 1e-3, 0, "mA"},
	{"W", "W", "power", 1, 0, "W"}, {"kW", "KiloW", "power", 1e3, 0, "kW"}, {"J", "J", "energy", 1, 0, "J"}, {"kJ", "KiloJ", "energy", 1e3, 0, "kJ"}, {"W.h", "W-HR", "energy", 3600, 0, "Wh"}, {"kW.h", "KiloW-HR", "energy", 3.6e6, 0, "kWh"},
	{"Hz", "HZ", "frequency", 1, 0, "Hz"}, {"kHz", "KiloHZ", "frequency", 1e3, 0, "kHz"}, {"{rev}/min", "REV-PER-MIN", "rotation", 1.0 / 60, 0, "rpm"}, {"{rev}/s", "REV-PER-SEC", "rotation", 1, 0, "rev/s"},
	{"m/s", "M-PER-SEC", "speed", 1, 0, "m/s"}, {"mm/s", "MilliM-PER-SEC", "speed", 1e-3, 0, "mm/s"}, {"km/h", "KiloM-PER-HR", "speed", 1 / 3.6, 0, "km/h"}, {"m/s2", "M-PER-SEC2", "acceleration", 1, 0, "m/s²"},
	{"rad", "RAD", "angle", 1, 0, "rad"}, {"deg", "DEG", "angle", 0.017453292519943295, 0, "°"},
	{"uL/s", "MicroL-PER-SEC", "flow", 1e-9, 0, "µL/s"}, {"mL/min", "MilliL-PER-MIN", "flow", 1e-6 / 60, 0, "mL/min"}, {"mL/s", "MilliL-PER-SEC", "flow", 1e-6, 0, "mL/s"}, {"L/min", "L-PER-MIN", "flow", 1e-3 / 60, 0, "L/min"},
	{"lx", "LUX", "illuminance", 1, 0, "lx"}, {"dB", "DeciB", "level", 1, 0, "dB"}, {"[pH]", "PH", "acidity", 1, 0, "pH"}, {"mol/L", "MOL-PER-L", "concentration", 1, 0, "mol/L"}, {"mmol/L", "MilliMOL-PER-L", "concentration", 1e-3, 0, "mmol/L"},
}

// qudtUnits is the namespace of QUDT's units.
const qudtUnits = "http://qudt.org/vocab/unit/"

// UnitOf finds a unit by its code in UCUM, its name in QUDT, with or without the prefix
// unit:, or the symbol that is written after a number.
func UnitOf(name string) (Unit, bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, qudtUnits), "unit:")
	for _, same := range []func(*Unit) bool{
		func(u *Unit) bool { return u.UCUM == name },
		func(u *Unit) bool { return u.QUDT == name },
		func(u *Unit) bool { return u.Symbol == name && name != "" },
	} {
		for i := range units {
			if same(&units[i]) {
				return units[i], true
			}
		}
	}
	return Unit{}, false
}

// unitHint asks whether the unit nearest to an unknown one was meant.
func unitHint(name string) string {
	var known []string
	for _, u := range units {
		known = append(known, u.UCUM, u.QUDT)
	}
	if hint := Hint(strings.TrimPrefix(strings.TrimPrefix(name, qudtUnits), "unit:"), known); hint != "" {
		return hint
	}
	return "; expected a name of QUDT such as DEG_C or a code of UCUM such as Cel"
}

// Convert is a number of one unit in another. The error says that the units do not fit.
func (u Unit) Convert(number float64, to Unit) (float64, error) {
	switch {
	case u.UCUM == to.UCUM:
		return number, nil
	case u.Dimension != to.Dimension:
		return 0, fmt.Errorf("%s is a unit of %s, and %s one of %s", u.UCUM, u.Dimension, to.UCUM, to.Dimension)
	}
	return (number*u.Factor + u.Offset - to.Offset) / to.Factor, nil
}

// Text writes a number with the symbol of the unit: 9.5 °C, 20%.
func (u Unit) Text(d decimal.Decimal) string {
	switch {
	case u.Symbol == "":
		return d.Short()
	case u.Symbol == "%" || u.Symbol == "°":
		return d.Short() + u.Symbol
	}
	return d.Short() + " " + u.Symbol
}
