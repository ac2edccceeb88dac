import { layoutTexts } from './layout-texts.ts';
import type { AccountVisit } from './visit.ts';

/** Links to the whole filtered list as files. */
export function Downloads({ visit: { lang, at, query }, path }: DownloadsProps) {
  const parameters = new URLSearchParams(query);
  parameters.delete('behind');
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  return (
    <p class="actions">
      {(['xlsx', 'csv'] as const).map((format) => (
        <a
          key={format}
          class="button button-quiet"
          href={`${at(`${path}.${format}`)}${search}`}
          download
        >
          {layoutTexts[lang].downloads[format]}
        </a>
      ))}
    </p>
  );
}

interface DownloadsProps {
  visit: AccountVisit;
  /** Path of the files, without extension. */
  path: string;
}
