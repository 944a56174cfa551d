package honshu

import pb "kumite/refereev1"

const (
	side   = 64 // a domain of 13 cards never reaches the edge of a square with this side
	centre = side / 2
	// rounds is how many cards everybody lays.
	rounds = 12
)

// What something that may still become points is worth, on the first of all rounds.
const (
	spareCube    = 1.0 // a cube without a factory
	spareFactory = 0.3 // of the value of a factory without a cube
	spareTown    = 0.3 // a town cell outside the largest town
	lake         = 0.8 // a group of lakes, to which more may be added
)

// layouts are the cell indices of a card in reading order, by rotation; see honshu.proto.
var layouts = [4][6]int{{0, 1, 2, 3, 4, 5}, {4, 2, 0, 5, 3, 1}, {5, 4, 3, 2, 1, 0}, {1, 3, 5, 0, 2, 4}}

// face is what the six cells of a card show.
type face [6]pb.HonshuKind

// placement is a way to lay a card.
type placement struct {
	rotation, row, column int
	mask                  int // of the cells that go under the domain
}

// domain is the visible part of one player's cards, on a square grid; the province begins in its centre.
type domain struct {
	kinds  [side * side]pb.HonshuKind // unspecified: nothing lies there
	cubes  [side * side]bool
	cells  []int  // where something lies
	stored [4]int // cubes on the domain, by colour
	supply [4]int // cubes that the next card could get, by colour
	hope   float64

	seen  [side * side]int // the last fill that came by
	fills int
	stack []int
}

func at(row, column int) int { return (row+centre)*side + column + centre }

// domainOf reads one seat's domain from a view.
func domainOf(view *pb.HonshuView, seat int) *domain {
	d := &domain{hope: float64(rounds-view.Round) / rounds}
	first := sum(view.CellCounts[:seat])
	for i := first; i < first+int(view.CellCounts[seat]); i++ {
		cell := at(int(view.CellRows[i]), int(view.CellColumns[i]))
		d.kinds[cell] = view.CellKinds[i]
		d.cells = append(d.cells, cell)
	}
	first = sum(view.CubeCounts[:seat])
	for i := first; i < first+int(view.CubeCounts[seat]); i++ {
		cell := at(int(view.CubeRows[i]), int(view.CubeColumns[i]))
		d.cubes[cell] = true
		d.stored[production(d.kinds[cell])]++
	}
	for colour := range d.supply {
		d.supply[colour] = int(view.Supply[colour])
	}
	return d
}

func sum(counts []uint32) int {
	total := 0
	for _, count := range counts {
		total += int(count)
	}
	return total
}

// production is the colour that a kind produces; -1: none.
func production(kind pb.HonshuKind) int {
	if pb.HonshuKind_HONSHU_KIND_PRODUCTION_BLUE <= kind && kind <= pb.HonshuKind_HONSHU_KIND_PRODUCTION_YELLOW {
		return int(kind - pb.HonshuKind_HONSHU_KIND_PRODUCTION_BLUE)
	}
	return -1
}

// factory is the colour and value of a factory; the value of anything else is 0.
func factory(kind pb.HonshuKind) (colour, value int) {
	if kind < pb.HonshuKind_HONSHU_KIND_FACTORY_BLUE_2 || kind > pb.HonshuKind_HONSHU_KIND_FACTORY_YELLOW_4 {
		return 0, 0
	}
	number := int(kind - pb.HonshuKind_HONSHU_KIND_FACTORY_BLUE_2)
	return number / 3, 2 + number%3
}

// after is the value of the domain with a card laid on it; the domain stays as it is.
func (d *domain) after(card face, p placement) float64 {
	length := len(d.cells)
	stored := d.stored
	var covered [6]struct {
		cell int
		kind pb.HonshuKind
		cube bool
	}
	laid := 0
	width := 2 + p.rotation%2
	for position, index := range layouts[p.rotation] {
		if p.mask&(1<<index) != 0 {
			continue
		}
		cell := at(p.row+position/width, p.column+position%width)
		old := &covered[laid]
		laid++
		old.cell, old.kind, old.cube = cell, d.kinds[cell], d.cubes[cell]
		if old.kind == pb.HonshuKind_HONSHU_KIND_UNSPECIFIED {
			d.cells = append(d.cells, cell)
		} else if old.cube {
			d.stored[production(old.kind)]--
		}
		d.kinds[cell], d.cubes[cell] = card[index], false
		if colour := production(card[index]); colour >= 0 && d.supply[colour] > 0 {
			d.cubes[cell] = true
			d.stored[colour]++
		}
	}
	value := d.value()
	for _, old := range covered[:laid] {
		d.kinds[old.cell], d.cubes[old.cell] = old.kind, old.cube
	}
	d.cells, d.stored = d.cells[:length], stored
	return value
}

// value is the points of the domain as it lies, and what may come of it in the rounds that are left.
func (d *domain) value() float64 {
	points, towns, largest, lakes := 0, 0, 0, 0
	var factories [4][5]int // by colour and value
	d.fills++
	for _, cell := range d.cells {
		switch kind := d.kinds[cell]; kind {
		case pb.HonshuKind_HONSHU_KIND_FOREST:
			points += 2
		case pb.HonshuKind_HONSHU_KIND_TOWN:
			towns++
			largest = max(largest, d.group(cell))
		case pb.HonshuKind_HONSHU_KIND_LAKE:
			if size := d.group(cell); size > 0 {
				lakes++
				points += 3 * (size - 1)
			}
		default:
			if colour, value := factory(kind); value > 0 {
				factories[colour][value]++
			}
		}
	}
	points += largest
	hopes := spareTown*float64(towns-largest) + lake*float64(lakes)
	for colour, cubes := range d.stored {
		for value := 4; value >= 2; value-- {
			count := factories[colour][value]
			used := min(count, cubes)
			cubes -= used
			points += used * value
			hopes += spareFactory * float64((count-used)*value)
		}
		hopes += spareCube * float64(cubes)
	}
	return float64(points) + d.hope*hopes
}

// group is the number of adjacent cells of a cell's kind, itself included, or 0 if this fill has counted it before.
func (d *domain) group(cell int) int {
	if d.seen[cell] == d.fills {
		return 0
	}
	kind := d.kinds[cell]
	d.seen[cell] = d.fills
	d.stack = append(d.stack[:0], cell)
	size := 0
	for len(d.stack) > 0 {
		last := len(d.stack) - 1
		cell, d.stack = d.stack[last], d.stack[:last]
		size++
		for _, next := range [4]int{cell - side, cell - 1, cell + 1, cell + side} {
			if d.kinds[next] == kind && d.seen[next] != d.fills {
				d.seen[next] = d.fills
				d.stack = append(d.stack, next)
			}
		}
	}
	return size
}

// gain is what a card could add to the domain, laid over or under everything that it meets. Such placements are always
// possible; those in between, which only the referee lists, are rarely much better.
func (d *domain) gain(card face) float64 {
	best := -1.0e9
	tried := map[placement]bool{}
	for _, cell := range d.cells {
		for rotation := range layouts {
			width := 2 + rotation%2
			for position := range 6 {
				p := placement{
					rotation: rotation,
					row:      cell/side - centre - position/width,
					column:   cell%side - centre - position%width,
				}
				if tried[p] {
					continue
				}
				tried[p] = true
				over, under, mask := d.fits(card, p)
				if over {
					best = max(best, d.after(card, p))
				}
				if under {
					p.mask = mask
					best = max(best, d.after(card, p))
				}
			}
		}
	}
	return best - d.value()
}

// fits tells whether a card may lie over and under everything that it meets, and the mask in the second case. Lakes are
// never covered, and something of the card must be seen.
func (d *domain) fits(card face, p placement) (over, under bool, mask int) {
	over, under = true, true
	width := 2 + p.rotation%2
	for position, index := range layouts[p.rotation] {
		there := d.kinds[at(p.row+position/width, p.column+position%width)]
		if there == pb.HonshuKind_HONSHU_KIND_UNSPECIFIED {
			continue
		}
		mask |= 1 << index
		over = over && there != pb.HonshuKind_HONSHU_KIND_LAKE
		under = under && card[index] != pb.HonshuKind_HONSHU_KIND_LAKE
	}
	return over, under && mask != 1<<6-1, mask
}
