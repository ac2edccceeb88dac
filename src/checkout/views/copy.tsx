import type { Lang } from './model.ts';
import { texts } from './texts.ts';

type CopyProps = { lang: Lang; label: string; value: string };

/** Renders a button that copies a value. Visible only with scripts. */
export function CopyButton({ lang, label, value }: CopyProps) {
  const words = texts[lang];
  return (
    <button
      type="button"
      class="copy"
      hidden
      data-copy={value}
      data-done={words.copied}
      data-failed={words.notCopied}
      aria-label={`${words.copy}: ${label}`}
    >
      {words.copy}
    </button>
  );
}
