// Command kumite-go is a bot for the Kumite referee: random in every game, and with --bot honshu a player of Honshu.
package main

//go:generate go run ./internal/protogen ../../proto kumite refereev1

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"kumite/client"
	"kumite/honshu"
)

// version is part of what the bot tells the referee: on a ladder a changed one is a new build, rated apart. Change it
// exactly when the play changes.
const version = "1.1"

// bots are the players of this program, by name.
var bots = map[string]client.Bot{
	"random": random{},
	"honshu": &honshu.Bot{Otherwise: random{}},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("kumite: ")
	config, bot, err := configure()
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		context.AfterFunc(ctx, stop) // a second signal ends the program the hard way
		err = client.Run(ctx, config, bot)
	}
	if err != nil {
		log.Print(err)
		os.Exit(2)
	}
}

// configure reads the command line and the environment.
func configure() (client.Config, client.Bot, error) {
	names := slices.Sorted(maps.Keys(bots))
	address := flag.String("address", "", "the referee: `host:port` or unix:/path (default $KUMITE_ADDRESS or localhost:7400)")
	name := flag.String("name", "", "`name` at the referee (default $KUMITE_NAME or go-random and the like; with a token none: the token is the name)")
	token := flag.String("token", "", "bearer `token`, if the referee wants one (default $KUMITE_TOKEN)")
	ca := flag.String("tls-ca", "", "use TLS and trust the certificate authority in this PEM `file`")
	chosen := flag.String("bot", "random", "who plays: "+strings.Join(names, " or "))
	tables := flag.Uint("tables", 1, "tables to play at a time")
	state := flag.String("state", "", "`folder` for the resume token (default $KUMITE_STATE, $XDG_STATE_HOME/kumite or ~/.local/state/kumite)")
	seed := rand.Uint64()
	flag.Func("seed", "`number` from which all luck of the bot grows (default a random one)", func(text string) (err error) {
		seed, err = strconv.ParseUint(text, 10, 64)
		return err
	})
	flag.Parse()

	bot, known := bots[*chosen]
	switch {
	case flag.NArg() > 0:
		return client.Config{}, nil, fmt.Errorf("unexpected argument %q; see --help", flag.Arg(0))
	case !known:
		return client.Config{}, nil, fmt.Errorf("no bot %q; there are: %s", *chosen, strings.Join(names, ", "))
	case *tables < 1 || *tables > 1<<16:
		return client.Config{}, nil, errors.New("--tables must be between 1 and 65536")
	}
	config := client.Config{
		Address:  cmp.Or(*address, os.Getenv("KUMITE_ADDRESS"), "localhost:7400"),
		Name:     *name,
		Token:    cmp.Or(*token, os.Getenv("KUMITE_TOKEN")),
		CAFile:   *ca,
		State:    cmp.Or(*state, stateFolder()),
		Software: "kumite-go " + *chosen + " " + version,
		Tables:   uint32(*tables),
		Seed:     seed,
	}
	if config.Token == "" { // with a token the referee knows the name
		config.Name = cmp.Or(*name, os.Getenv("KUMITE_NAME"), "go-"+*chosen)
	}
	return config, bot, nil
}

// stateFolder is where programs keep what they need to remember for this user; empty: nowhere.
func stateFolder() string {
	if folder := os.Getenv("KUMITE_STATE"); folder != "" {
		return folder
	}
	if base := os.Getenv("XDG_STATE_HOME"); base != "" {
		return filepath.Join(base, "kumite")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "state", "kumite")
}
