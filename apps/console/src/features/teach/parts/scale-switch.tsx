import { SegmentedControl } from '@mantine/core';
import { type ShapeScale } from '../../../lib/shape';
import { texts } from '../teach.texts';

/** One axis for all curves, or a separate scale for each. */
export function ScaleSwitch({ value, onChange }: { value: ShapeScale; onChange: (value: ShapeScale) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={texts.scale}
      value={value}
      onChange={(next) => onChange(next === 'own' ? 'own' : 'shared')}
      data={[
        { value: 'shared', label: texts.sharedScale },
        { value: 'own', label: texts.ownScale },
      ]}
    />
  );
}
