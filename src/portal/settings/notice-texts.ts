import { catalog } from '../../language/catalog.ts';
import en from './notice-texts.en.json' with { type: 'json' };
import es from './notice-texts.es.json' with { type: 'json' };

export const noticeTexts = catalog({ en, es });
