export declare class Storages {
  madeBy<T>(load: () => T): T;
  disable(): void;
}
