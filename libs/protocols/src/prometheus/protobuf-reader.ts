export { ProtobufReader, Wire } from '../wire/protobuf-reader.js';
