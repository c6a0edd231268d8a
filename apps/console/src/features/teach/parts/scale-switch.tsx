import { SegmentedControl } from '@mantine/core';
import { type ShapeScale } from '../../../lib/shape';
import { words } from '../teach.words';

/** One axis for all curves, or each at its own size. */
export function ScaleSwitch({ value, onChange }: { value: ShapeScale; onChange: (value: ShapeScale) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.scale}
      value={value}
      onChange={(next) => onChange(next === 'own' ? 'own' : 'shared')}
      data={[
        { value: 'shared', label: words.sharedScale },
        { value: 'own', label: words.ownScale },
      ]}
    />
  );
}
