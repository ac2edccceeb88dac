import type { Drawing } from './model.ts';

/** Renders a QR code, black on white even in dark mode, because cameras expect it. */
export function QrImage({ drawing, label }: { drawing: Drawing; label: string }) {
  const { width, height, path } = drawing;
  return (
    <svg
      class="qr-image"
      role="img"
      aria-label={label}
      viewBox={`-4 -4 ${width + 8} ${height + 8}`}
      shape-rendering="crispEdges"
    >
      <rect x="-4" y="-4" width={width + 8} height={height + 8} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
