import { prefix } from './prefix';
import { createStore } from './store';
import { accentOn } from './color';

export interface Brand {
  name: string;
  logo: string | null;
  /** Name and logo in one image, shown on the sign-in page. */
  full: string | null;
}

export const brand = createStore<Brand>({ name: 'Millrace', logo: null, full: null });

interface Theme {
  websiteName?: string;
  colors?: { primary?: { default?: string } };
  logos?: { logoIconUrl?: string | null; fullLogoUrl?: string | null; favIconUrl?: string | null };
}

/** Default color of the server. */
const USUAL = '#2f6f5e';
const ACCENTS = ['--accent', '--on-accent', '--accent-soft'] as const;

/** Address of an uploaded image; undefined for the built-in ones, which are drawn. */
export const uploaded = (url: string | null | undefined): string | null =>
  !url || url.startsWith('/assets/') ? null : url.startsWith('/') ? prefix + url : url;

/** A color without contrast becomes lighter or darker. */
export function applyBrand(flags: Record<string, unknown>): void {
  const theme = (flags['THEME'] ?? {}) as Theme;
  brand.set({
    name: theme.websiteName ?? 'Millrace',
    logo: uploaded(theme.logos?.logoIconUrl),
    full: uploaded(theme.logos?.fullLogoUrl),
  });
  document.title = theme.websiteName ?? 'Millrace';
  document
    .querySelector('link[rel=icon]')
    ?.setAttribute('href', uploaded(theme.logos?.favIconUrl) ?? `${prefix}/assets/favicon.svg`);
  const style = document.documentElement.style;
  ACCENTS.forEach((name) => style.removeProperty(name));
  const color = theme.colors?.primary?.default?.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  if (!color || color.toLowerCase() === USUAL || !/^#[0-9a-f]{6}$/i.test(color)) {
    return;
  }
  const light = accentOn(color, '#ffffff');
  const dark = accentOn(color, '#1e1c1a');
  style.setProperty('--accent', `light-dark(${light.accent}, ${dark.accent})`);
  style.setProperty('--on-accent', 'light-dark(#ffffff, #141210)');
  style.setProperty('--accent-soft', `light-dark(${light.soft}, ${dark.soft})`);
}
