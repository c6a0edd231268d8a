import { type StoryKind } from '../story';

interface Look {
  path: string;
  isFilled?: boolean;
  color: string;
}

/** One shape for each kind, because colour must not be the only sign. */
const LOOKS: Record<StoryKind, Look> = {
  began: { path: 'M3 1.5v13M3 2.5h9.5L10 6l2.5 3.5H3z', isFilled: true, color: 'var(--pl-text)' },
  joined: { path: 'M8 3v10M3 8h10', color: 'var(--pl-dim)' },
  sent: { path: 'M1.5 3.5h13v9h-13zM1.5 4l6.5 5 6.5-5', color: 'var(--pl-text)' },
  failed: { path: 'M1.5 3.5h13v9h-13zM5.5 5.5l5 5M10.5 5.5l-5 5', color: 'var(--pl-critical)' },
  waiting: { path: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13zM8 4.5V8l2.5 2', color: 'var(--pl-dim)' },
  held: { path: 'M1.5 3.5h13v9h-13zM5 8h6', color: 'var(--pl-dim)' },
  acknowledged: { path: 'M2 8.5l4 4 8-9', color: 'var(--pl-good)' },
  back: { path: 'M8 4.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7z', color: 'var(--pl-dim)' },
  ended: { path: 'M3.5 3.5h9v9h-9z', isFilled: true, color: 'var(--pl-good)' },
};

/** The kind of an entry of a story, only visual: the text is next to it. */
export function StoryIcon({ kind }: { kind: StoryKind }) {
  const { path, isFilled = false, color } = LOOKS[kind];
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={path}
        fill={isFilled ? color : 'none'}
        stroke={color}
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
