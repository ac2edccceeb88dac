import { catalog } from '../../../language/catalog.ts';
import en from './export-texts.en.json' with { type: 'json' };
import es from './export-texts.es.json' with { type: 'json' };

export const exportTexts = catalog({ en, es });
