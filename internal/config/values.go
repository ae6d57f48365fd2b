package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// kind names the key's type for a person.
func (k key) kind() string {
	switch k.field(new(Config)).(type) {
	case *int:
		return "a whole number"
	case *float64, **float64:
		return "a number"
	case *bool:
		return "true or false"
	case *Duration:
		return "a duration"
	case *string:
		return "text"
	case *Commands:
		return "text or a list of texts"
	case *RoleModel:
		return "keys and values"
	}
	return "a list"
}

// read turns the text of a scalar into the key's type. The tag is what YAML
// takes the text for; it is empty for flags and variables, where all is text.
func (k key) read(text, tag string) (any, string) {
	quoted := tag == "!!str"
	wrong := func() (any, string) { return nil, fmt.Sprintf("want %s, got %q", k.kind(), text) }
	switch k.field(new(Config)).(type) {
	case *string:
		if tag == "!!int" || tag == "!!float" {
			return nil, fmt.Sprintf("want %s, got the number %s: put quotes round it if it is meant",
				k.kind(), text)
		}
		return text, ""
	case *Commands:
		if tag == "!!int" || tag == "!!float" {
			return nil, fmt.Sprintf("want %s, got the number %s: put quotes round it if it is meant",
				k.kind(), text)
		}
		return Commands{text}, ""
	case *int:
		v, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64)
		if err != nil || quoted || int64(int(v)) != v {
			return wrong()
		}
		return int(v), ""
	case *float64, **float64:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || quoted || math.IsNaN(v) || math.IsInf(v, 0) {
			return wrong()
		}
		return v, ""
	case *bool:
		switch strings.ToLower(text) {
		case "true", "yes", "on", "1":
			if tag == "!!int" {
				return wrong()
			}
			return true, ""
		case "false", "no", "off", "0":
			if tag == "!!int" {
				return wrong()
			}
			return false, ""
		}
		return wrong()
	case *Duration:
		v, err := parseDuration(text)
		if err != nil {
			return nil, fmt.Sprintf("%q is %v", text, err)
		}
		return v, ""
	}
	return wrong()
}

// valid says what is wrong with a value of the key's type.
func (k key) valid(v any) string {
	switch v := v.(type) {
	case Commands:
		for _, command := range v {
			if msg := k.valid(command); msg != "" {
				return msg
			}
		}
	case string:
		if k.needed && strings.TrimSpace(v) == "" {
			return "must not be empty"
		}
		if strings.ContainsRune(v, 0) {
			return "must not hold a NUL byte"
		}
		if len(k.enum) > 0 && v != "" && !slices.Contains(k.enum, v) {
			return fmt.Sprintf("%q is not one of %s%s", v, strings.Join(k.enum, ", "),
				didYouMean(near(strings.ToLower(v), k.enum)))
		}
		if k.check != nil && v != "" {
			return k.check(v)
		}
	case int:
		if k.name == "schema_version" && v != 1 {
			return fmt.Sprintf("%d is not known to this booty; 1 is", v)
		}
		return k.rangeText(float64(v), strconv.Itoa(v))
	case float64:
		return k.rangeText(v, formatFloat(v))
	case Duration:
		return k.rangeText(float64(v), v.String())
	}
	return ""
}

func (k key) rangeText(v float64, text string) string {
	if k.inRange(v) {
		return ""
	}
	lo, hi := formatFloat(k.min), formatFloat(k.max)
	bounded := k.max < many
	if _, ok := k.field(new(Config)).(*Duration); ok {
		lo, hi, bounded = Duration(k.min).String(), Duration(k.max).String(), true
	}
	switch {
	case bounded:
		return fmt.Sprintf("%s is out of range: %s to %s", text, lo, hi)
	case v < k.min:
		return fmt.Sprintf("%s is too small: at least %s", text, lo)
	}
	return fmt.Sprintf("%s is too large: at most %s", text, hi)
}

func formatFloat(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
