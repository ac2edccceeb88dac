import type { Lang } from '../../platform/pages/model.ts';
import type { SheetFormat } from '../../platform/spreadsheets/write/table.ts';
import type { AccountVisit } from './visit.ts';

const labels: Readonly<Record<Lang, Readonly<Record<SheetFormat, string>>>> = {
  es: { xlsx: 'Descargar Excel', csv: 'Descargar CSV' },
  en: { xlsx: 'Download Excel', csv: 'Download CSV' },
};

/** What a list filters, whole, as files that stand beside it. */
export function Downloads({ visit: { lang, at, query }, path }: DownloadsProps) {
  const asked = new URLSearchParams(query);
  asked.delete('behind');
  const search = asked.size === 0 ? '' : `?${asked}`;
  return (
    <p class="actions">
      {(['xlsx', 'csv'] as const).map((format) => (
        <a
          key={format}
          class="button button-quiet"
          href={`${at(`${path}.${format}`)}${search}`}
          download
        >
          {labels[lang][format]}
        </a>
      ))}
    </p>
  );
}

interface DownloadsProps {
  visit: AccountVisit;
  /** Of the files, without their ending. */
  path: string;
}
