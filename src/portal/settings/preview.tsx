import { type Scheme, schemesOf } from '../../platform/pages/accent.ts';
import type { AccountVisit } from '../frame/index.ts';
import { settingTexts } from './setting-texts.ts';

/** The accent of tokens.css. */
const standard = '#0b6b5d';

const grounds = {
  day: { paper: '#ffffff', line: '#d3dbe0', ink: '#14212b', soft: '#4b5b67' },
  night: { paper: '#17212a', line: '#34424d', ink: '#e8eef2', soft: '#aebac3' },
} as const;

type SampleProps = {
  label: string;
  scheme: Scheme;
  ground: (typeof grounds)[keyof typeof grounds];
  words: { pay: string; link: string };
};

/**
 * Renders a miniature of the payer's page. Its colors are attributes, because the content security
 * policy forbids inline styles.
 */
function Sample({ label, scheme, ground, words }: SampleProps) {
  return (
    <figure class="sample">
      <svg viewBox="0 0 280 108" role="img" aria-label={label}>
        <rect
          x="0.5"
          y="0.5"
          width="279"
          height="107"
          rx="12"
          fill={ground.paper}
          stroke={ground.line}
        />
        <text x="16" y="32" font-size="20" font-weight="700" fill={ground.ink}>
          {'$ 12.500,00'}
        </text>
        <text x="264" y="32" font-size="13" text-anchor="end" fill={scheme.accent}>
          {words.link}
        </text>
        <rect x="16" y="52" width="248" height="40" rx="8" fill={scheme.accent} />
        <text x="140" y="77" font-size="15" font-weight="600" text-anchor="middle" fill={scheme.on}>
          {words.pay}
        </text>
      </svg>
      <figcaption>{label}</figcaption>
    </figure>
  );
}

/** Renders a preview of the account's color for payers, in light and dark mode. */
export function Preview({ visit }: { visit: AccountVisit }) {
  const { look: texts } = settingTexts[visit.lang];
  const schemes = schemesOf(visit.account.look.accent ?? standard);
  if (schemes === null) return null;
  return (
    <div class="samples">
      {(['day', 'night'] as const).map((when) => (
        <Sample
          key={when}
          label={texts[when]}
          scheme={schemes[when]}
          ground={grounds[when]}
          words={texts}
        />
      ))}
    </div>
  );
}
