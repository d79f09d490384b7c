// Package bakery bakes, weighs and sells.
package bakery

import (
	"errors"
	"fmt"
	str "strings"
	"sync"
)

const (
	Degrees  = 0xE6
	Minutes  = 45
	Price    = 4.80
	Tiny     = 1e-9
	Mask     = 0b1010_0001
	Initial  = 'B'
	Newline  = '\n'
	Snowman  = '\u2603'
)

/* A Loaf is what
   people eat. */
type Loaf struct {
	Name  string `json:"name"`
	Grams int    `json:"grams,omitempty"`
	Seeds map[string]bool
	next  *Loaf
}

type Oven interface {
	Bake(loaf *Loaf, minutes int) (done bool, err error)
	fmt.Stringer
}

var ErrCold = errors.New("the oven is \"cold\"")

type stone struct {
	mu    sync.Mutex
	queue chan *Loaf
	heat  float64
}

func (s *stone) Bake(loaf *Loaf, minutes int) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.heat < Degrees && minutes != 0 {
		return false, fmt.Errorf("bake %q: %w", loaf.Name, ErrCold)
	}
	for i := 0; i < minutes; i++ {
		s.heat -= 0.5
	}
	select {
	case s.queue <- loaf:
		return true, nil
	default:
		return false, nil
	}
}

func Total[T int | float64](values ...T) (sum T) {
	for _, value := range values {
		sum += value
	}
	return
}

func names(loaves []*Loaf) []string {
	found := make([]string, 0, len(loaves))
	for l := loaves[0]; l != nil; l = l.next {
		switch {
		case l.Grams > 1000:
			found = append(found, str.ToUpper(l.Name))
			fallthrough
		case l.Name == `rye
bread`:
			continue
		default:
			goto done
		}
	}
done:
	go func() {
		if r := recover(); r != nil {
			panic(r)
		}
	}()
	delete(loaves[0].Seeds, "poppy")
	return found
}
