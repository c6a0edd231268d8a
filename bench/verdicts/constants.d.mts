/** A named constant of the detector. */
export interface DetectorConstant {
  file: string;
  name: string;
  value: number;
  comment: string;
}

export function constantsIn(folder: string): DetectorConstant[];
export function changed(value: number, factor: number): number;
export function withValue(built: string, name: string, value: number): string;
