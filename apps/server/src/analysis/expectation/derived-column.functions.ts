import { type DerivedName } from '#libs/contracts';
import { type Expectation } from './expectation.types.js';

/** The value of a derived series at each row. */
export function derivedColumn(expectation: Expectation, derived: DerivedName): Float64Array {
  switch (derived) {
    case 'plumbline_expected':
      return expectation.yhat;
    case 'plumbline_expected_lower':
      return expectation.lower;
    case 'plumbline_expected_upper':
      return expectation.upper;
    case 'plumbline_score':
      return expectation.scores;
    case 'plumbline_anomalous':
      return Float64Array.from(expectation.anomalous);
  }
}
