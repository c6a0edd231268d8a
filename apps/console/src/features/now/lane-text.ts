import { type AnomalyKind, severityLabel } from '#libs/contracts';
import { words as shared } from '../../components/components.words';
import { kindText } from '../../lib/kinds';
import { type LaneStretch } from './lanes';
import { words } from './now.words';

/** What a stretch of a lane is: `major: spike`, `expected: dip`, `matches nightly backup`. */
export function whatIs({ what, label, severity, isExpected }: LaneStretch): string {
  if (what === 'match') return words.matched(label);
  const kind = kindText(label as AnomalyKind);
  return isExpected ? words.expected(kind) : words.anomaly(shared.severity[severityLabel(severity)], kind);
}
