import type { CardBrand } from '../../kernel/card-number.ts';

const letters = 'Arial, Helvetica, sans-serif';

/** Simple brand logos in brand colors, on a plate that is legible on any background. */
const drawings: Readonly<Record<CardBrand, { readonly plate: string; readonly text?: string }>> = {
  visa: { plate: '#1a1f71', text: 'VISA' },
  mastercard: { plate: '#fff' },
  amex: { plate: '#016fd0', text: 'AMEX' },
  cabal: { plate: '#0a3a78', text: 'CABAL' },
  naranja: { plate: '#c2410c', text: 'NARANJA' },
  maestro: { plate: '#fff' },
  diners: { plate: '#004a97', text: 'DINERS' },
};

const circles: Partial<Record<CardBrand, readonly [string, string]>> = {
  mastercard: ['#eb001b', '#f79e1b'],
  maestro: ['#0099df', '#eb001b'],
};

const drawn = (family: CardBrand) => {
  const { plate, text } = drawings[family];
  const [left, right] = circles[family] ?? [];
  return (
    <>
      <rect x="0.5" y="0.5" width="47" height="29" rx="4" fill={plate} stroke="#8895a0" />
      {left && <circle cx="19" cy="15" r="9" fill={left} />}
      {right && <circle cx="29" cy="15" r="9" fill={right} fill-opacity="0.85" />}
      {text && (
        <text
          x="24"
          y="19"
          text-anchor="middle"
          font-family={letters}
          font-weight="700"
          font-size={text.length > 5 ? 8.5 : 11}
          fill="#fff"
        >
          {text}
        </text>
      )}
    </>
  );
};

/** Renders a brand's logo, or its name if it has no drawing. */
export function Mark({ family, name }: { family: CardBrand | undefined; name: string }) {
  if (family === undefined) return <span class="hint">{name}</span>;
  return (
    <svg class="mark" viewBox="0 0 48 30" role="img" aria-label={name}>
      {drawn(family)}
    </svg>
  );
}
