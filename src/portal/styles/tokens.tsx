const colors = [
  'ink',
  'soft',
  'line',
  'field',
  'paper',
  'ground',
  'accent',
  'accent-dark',
  'accent-soft',
  'bad',
  'bad-soft',
  'wait',
  'wait-soft',
  'desk',
  'desk-line',
  'calm-soft',
];
const spaces = [1, 2, 3, 4, 5, 6, 7];
const types = ['small', 'note', 'plain', 'large', 'title', 'head', 'figure'];

/** Shows the design tokens of `src/platform/pages/assets/tokens.css`. */
export function SampleTokens() {
  return (
    <div lang="en">
      <ul class="swatches">
        {colors.map((name) => (
          <li key={name}>
            <svg class="swatch" width="100%" height="40" aria-hidden="true">
              <rect class={`token-${name}`} width="100%" height="40" />
            </svg>
            <span class="code">{name}</span>
          </li>
        ))}
      </ul>
      <ul class="swatches">
        {spaces.map((name) => (
          <li key={name}>
            <span class={`token-space token-space-${name}`} aria-hidden="true" />
            <span class="code">space-{name}</span>
          </li>
        ))}
      </ul>
      {types.map((name) => (
        <p key={name} class={`token-text-${name}`}>
          {name === 'plain' ? 'text' : `text-${name}`}: $ 1.284.350,50
        </p>
      ))}
    </div>
  );
}
