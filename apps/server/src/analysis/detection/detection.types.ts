/** Who writes: a process that owned the partition when it took this number. */
export interface Owner {
  partition: number;
  epoch: number;
}
