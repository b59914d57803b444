package engine

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/rules"
)

// ScanStruct copies the values of an answer to the fields of the structure that to points
// at, as Rows.Scan does each: to the exported field that is called as the variable is, or
// has its name as the tag `goal`. It is an error if such a field has no variable, or to is
// something else; variables without a field are passed over.
func ScanStruct(names []string, values []*rules.Term, to any) error {
	v := reflect.ValueOf(to)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("a destination of type %T; expected a pointer to a structure", to)
	}
	v = v.Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := f.Tag.Get("goal")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		at := slices.Index(names, name)
		if at < 0 || at >= len(values) {
			return fmt.Errorf("field %s: no variable %s; expected one of %s", f.Name, name, strings.Join(names, ", "))
		}
		if err := scan(values[at], v.Field(i).Addr().Interface()); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
	}
	return nil
}
