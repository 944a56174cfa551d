// Command protogen generates the Go stubs of the referee's protocol, with nothing but the Go toolchain: it compiles the
// .proto files itself and hands them to the two plugins that go.mod names as tools.
//
//	go run ./internal/protogen PROTO_FOLDER MODULE PACKAGE_FOLDER
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("protogen: ")
	if len(os.Args) != 4 {
		log.Fatal("usage: protogen PROTO_FOLDER MODULE PACKAGE_FOLDER")
	}
	protos, module, folder := os.Args[1], os.Args[2], os.Args[3]
	request, err := compile(protos)
	if err != nil {
		log.Fatal(err)
	}
	request.Parameter = proto.String(parameters(request.FileToGenerate, module, folder))
	// What an earlier version of the protocol left behind must not be compiled along.
	if err := os.RemoveAll(folder); err != nil {
		log.Fatal(err)
	}
	for _, plugin := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		if err := generate(plugin, request); err != nil {
			log.Fatalf("%s: %v", plugin, err)
		}
	}
}

// compile reads every .proto file of a folder and returns what protoc would hand to its plugins.
func compile(protos string) (*pluginpb.CodeGeneratorRequest, error) {
	var names []string
	err := filepath.WalkDir(protos, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".proto" {
			var name string
			name, err = filepath.Rel(protos, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no .proto files in %s", protos)
	}
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{protos}},
		SourceInfoMode: protocompile.SourceInfoStandard, // the comments are the manual
	}
	files, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: names}
	seen := map[string]bool{}
	for _, file := range files {
		request.ProtoFile = appendWithImports(request.ProtoFile, file, seen)
	}
	return request, nil
}

// appendWithImports appends a file after the files that it imports, as plugins want them.
func appendWithImports(
	to []*descriptorpb.FileDescriptorProto, file protoreflect.FileDescriptor, seen map[string]bool,
) []*descriptorpb.FileDescriptorProto {
	if seen[file.Path()] {
		return to
	}
	seen[file.Path()] = true
	imports := file.Imports()
	for i := range imports.Len() {
		to = appendWithImports(to, imports.Get(i).FileDescriptor, seen)
	}
	return append(to, protoutil.ProtoFromFileDescriptor(file))
}

// parameters tells the plugins which Go package the files belong to: the files themselves favour no language.
func parameters(names []string, module, folder string) string {
	list := []string{"module=" + module}
	for _, name := range names {
		list = append(list, fmt.Sprintf("M%s=%s/%s", name, module, folder))
	}
	return strings.Join(list, ",")
}

// generate runs a plugin and writes the files that it returns.
func generate(plugin string, request *pluginpb.CodeGeneratorRequest) error {
	input, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	command := exec.Command("go", "tool", plugin)
	command.Stdin = bytes.NewReader(input)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return errors.New(*response.Error)
	}
	for _, file := range response.File {
		if err := os.MkdirAll(filepath.Dir(file.GetName()), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file.GetName(), []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
