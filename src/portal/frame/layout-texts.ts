import { catalog } from '../../language/catalog.ts';
import en from './layout-texts.en.json' with { type: 'json' };
import es from './layout-texts.es.json' with { type: 'json' };

export const layoutTexts = catalog({ en, es }, { title: { page: 'text' } });
