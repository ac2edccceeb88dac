import { catalog } from '../../language/catalog.ts';
import en from './setting-texts.en.json' with { type: 'json' };
import es from './setting-texts.es.json' with { type: 'json' };

export const settingTexts = catalog(
  { en, es },
  { look: { accentWeak: { ratio: 'text', nearest: 'text' } } },
);
