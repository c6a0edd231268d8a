import { type ProtobufReader, Wire } from '../wire/protobuf-reader.js';

/** The tag of a field in wire format. */
export const field = (number: number, wireType: number): number => (number << 3) | wireType;

const SAMPLE_VALUE = field(1, Wire.Fixed64);
const SAMPLE_TIMESTAMP = field(2, Wire.Varint);

/** The NaN by which Prometheus marks the end of a series. Source: prometheus `model/value/value.go`, StaleNaN. */
const STALE_HIGH = 0x7ff0_0000;
const STALE_LOW = 0x0000_0002;

/** A double, and whether it is the staleness marker (which a number does not keep). */
export class SampleReader {
  value = 0;
  /** Unix milliseconds. */
  milliseconds = 0;
  isStale = false;

  /** Reads a message of value (1) and timestamp (2), the same in both versions of remote write. */
  read(reader: ProtobufReader, end: number): void {
    this.value = 0;
    this.milliseconds = 0;
    this.isStale = false;
    while (reader.position < end) {
      const tag = reader.tag(end);
      if (tag === SAMPLE_VALUE) {
        const at = reader.position;
        this.value = reader.double(end);
        this.isStale = isStale(reader, at, this.value);
      } else if (tag === SAMPLE_TIMESTAMP) {
        this.milliseconds = reader.int64(end);
      } else {
        reader.skip(tag, end);
      }
    }
  }
}

/** Whether the double that was read at an offset is the staleness marker. */
export function isStale(reader: ProtobufReader, at: number, value: number): boolean {
  return value !== value && reader.isBitPattern(at, STALE_HIGH, STALE_LOW);
}
