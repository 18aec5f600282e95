import type { TextKey } from '../../base/text';

export type LogoField = 'logoIcon' | 'fullLogo' | 'favIcon';

export const LOGOS: ReadonlyArray<{ field: LogoField; text: TextKey; help: TextKey }> = [
  { field: 'logoIcon', text: 'branding.icon', help: 'branding.iconHelp' },
  { field: 'fullLogo', text: 'branding.full', help: 'branding.fullHelp' },
  { field: 'favIcon', text: 'branding.fav', help: 'branding.favHelp' },
];

export interface Look {
  name: string;
  primaryColor: string;
  files: Partial<Record<LogoField, File | undefined>>;
}

export const colorProblem = (color: string): TextKey | undefined =>
  /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) ? undefined : 'branding.badColor';

export function changesOf(look: Look, before: { name: string; primaryColor: string }): FormData {
  const form = new FormData();
  for (const field of ['name', 'primaryColor'] as const) {
    if (look[field] !== before[field]) {
      form.append(field, look[field].trim());
    }
  }
  for (const { field } of LOGOS) {
    const file = look.files[field];
    if (file) {
      form.append(field, file);
    }
  }
  return form;
}
