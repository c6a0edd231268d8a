export function ip(...args: readonly string[]): Promise<string>;
export function namesOf(id: string): {
  bridge: string;
  namespace: (host: number) => string;
  cable: (host: number) => string;
};
export function lacking(): Promise<string[]>;
export function removeNetwork(id: string): Promise<void>;
export function removeAbandoned(): Promise<void>;
