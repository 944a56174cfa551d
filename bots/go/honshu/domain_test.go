package honshu

import (
	"testing"

	pb "kumite/refereev1"
)

const (
	forest = pb.HonshuKind_HONSHU_KIND_FOREST
	town   = pb.HonshuKind_HONSHU_KIND_TOWN
	water  = pb.HonshuKind_HONSHU_KIND_LAKE
	field  = pb.HonshuKind_HONSHU_KIND_FIELD
	brown  = pb.HonshuKind_HONSHU_KIND_PRODUCTION_BROWN
	brown4 = pb.HonshuKind_HONSHU_KIND_FACTORY_BROWN_4
)

// province is a domain of six cells in the last round, when nothing is left to hope for.
func province(kinds face) *domain {
	view := &pb.HonshuView{Round: rounds, CellCounts: []uint32{6}, CubeCounts: []uint32{0}, Supply: []uint32{1, 1, 1, 1}}
	for i, kind := range kinds {
		view.CellRows = append(view.CellRows, int32(i/2))
		view.CellColumns = append(view.CellColumns, int32(i%2))
		view.CellKinds = append(view.CellKinds, kind)
	}
	return domainOf(view, 0)
}

func TestADomainIsWorthItsPoints(t *testing.T) {
	for name, test := range map[string]struct {
		kinds face
		want  float64
	}{
		"two forests":                   {face{forest, field, field, forest, field, field}, 4},
		"the largest of two towns":      {face{town, town, field, field, town, field}, 2},
		"lakes after the first":         {face{water, water, field, water, field, field}, 6},
		"two lakes apart":               {face{water, field, field, water, field, field}, 0},
		"a factory without a cube":      {face{brown4, field, field, field, field, field}, 0},
		"an empty production, for good": {face{brown4, brown, field, field, field, field}, 0},
	} {
		if got := province(test.kinds).value(); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestACardIsLaidAsItsRotationAndMaskSay(t *testing.T) {
	d := province(face{field, field, field, field, brown4, field})
	card := face{forest, brown, town, town, field, forest}
	before := *d

	// A quarter turn: 4 2 0 / 5 3 1, its top left cell under the factory: the cube that is laid goes there.
	if got, want := d.after(card, placement{rotation: 1, row: 2, column: 0, mask: 1 << 4}), 2.0+2+2+4; got != want {
		t.Errorf("under the factory: got %v, want %v", got, want)
	}
	if got, want := d.after(card, placement{rotation: 1, row: 2, column: 0}), 2.0+2+2; got != want {
		t.Errorf("over the factory: got %v, want %v", got, want)
	}
	if d.kinds != before.kinds || d.cubes != before.cubes || d.stored != before.stored || len(d.cells) != 6 {
		t.Error("trying a placement changed the domain")
	}
}

func TestLakesAreNeverCovered(t *testing.T) {
	d := province(face{water, field, field, field, field, field})
	card := face{field, field, field, field, field, water}

	if over, under, mask := d.fits(card, placement{row: 0, column: 0}); over || under || mask != 63 {
		t.Errorf("on top of each other: %v, %v, %d", over, under, mask)
	}
	if over, under, mask := d.fits(card, placement{row: -2, column: -1}); over || under || mask != 1<<5 {
		t.Errorf("lake on lake: %v, %v, %d", over, under, mask)
	}
	if over, under, mask := d.fits(card, placement{row: 2, column: 1}); !over || !under || mask != 1 {
		t.Errorf("at the other end: %v, %v, %d", over, under, mask)
	}
}
