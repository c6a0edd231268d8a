// Renders a Helm chart with what Helm itself is made of: Go's templates and the functions of sprig. No release, no cluster,
// no dependencies of charts. Usage: main CHART RELEASE NAMESPACE [VALUES.yaml ...]; documents go to standard output.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type values = map[string]interface{}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readYaml(path string) values {
	text, err := os.ReadFile(path)
	fail(err)
	found := values{}
	fail(yaml.Unmarshal(text, &found))
	return found
}

// Maps are merged, all else is replaced, as Helm does.
func merge(into, from values) values {
	for key, value := range from {
		if given, ok := value.(values); ok {
			if present, ok := into[key].(values); ok {
				into[key] = merge(present, given)
				continue
			}
		}
		into[key] = value
	}
	return into
}

func toYaml(value interface{}) (string, error) {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	err := encoder.Encode(value)
	return strings.TrimSuffix(text.String(), "\n"), err
}

func main() {
	chart, release, namespace := os.Args[1], os.Args[2], os.Args[3]
	given := readYaml(filepath.Join(chart, "values.yaml"))
	for _, path := range os.Args[4:] {
		given = merge(given, readYaml(path))
	}
	about := values{}
	for key, value := range readYaml(filepath.Join(chart, "Chart.yaml")) {
		about[strings.ToUpper(key[:1])+key[1:]] = value
	}
	context := values{
		"Values":  given,
		"Chart":   about,
		"Release": values{"Name": release, "Namespace": namespace, "Service": "Helm", "Revision": 1, "IsInstall": true},
	}

	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = toYaml
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	root.Funcs(functions)

	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	fail(err)
	sort.Strings(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		fail(err)
		_, err = root.New(filepath.Base(path)).Parse(string(text))
		fail(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		var text bytes.Buffer
		if strings.HasPrefix(name, "_") {
			continue
		}
		fail(root.ExecuteTemplate(&text, name, context))
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n# %s\n%s\n", name, text.String())
		}
	}
}
