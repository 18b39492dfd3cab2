import { local } from '../../../../shell/settings.svelte.ts';
import type { RoomMessages } from './en.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

/** The room's texts in the language of the page. */
export const roomMessages = (): RoomMessages => local({ en, zh });
