import { type AnomalyKind, severityLabel } from '#libs/contracts';
import { texts as shared } from '../../components/components.texts';
import { kindText } from '../../lib/kinds';
import { type LaneStretch } from './lanes';
import { texts } from './now.texts';

/** The description of a stretch of a lane: `major: spike`, `expected: dip`, `matches nightly backup`. */
export function whatIs({ what, label, severity, isExpected }: LaneStretch): string {
  if (what === 'match') return texts.matched(label);
  const kind = kindText(label as AnomalyKind);
  return isExpected ? texts.expected(kind) : texts.anomaly(shared.severity[severityLabel(severity)], kind);
}
