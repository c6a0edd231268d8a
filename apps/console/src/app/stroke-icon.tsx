import { type ReactNode } from 'react';

/** An icon of lines in a 16-pixel box, in the colour of the text next to it. Another text states its meaning. */
export function StrokeIcon({
  size,
  className,
  children,
}: {
  /** Pixels; if omitted, the class defines the size. */
  size?: number;
  className?: string;
  children: ReactNode;
}) {
  return (
    <svg
      className={className}
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
