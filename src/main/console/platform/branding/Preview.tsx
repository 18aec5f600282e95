import { useEffect, useState } from 'preact/hooks';
import { uploaded } from '../../base/brand';
import { readable } from '../../base/color';
import { Panel } from '../../base/components/Panel';
import { t } from '../../base/text';
import { Mark } from '../../frame/Logo';
import type { Platform } from '../usePlatform';
import { colorProblem, type Look } from './look';

export function Preview({ look, platform }: { look: Look; platform: Platform }) {
  const icon = usePicture(look.files.logoIcon) ?? uploaded(platform.logoIconUrl);
  const color = colorProblem(look.primaryColor)
    ? '#2f6f5e'
    : look.primaryColor.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  return (
    <Panel title={t('branding.preview')} text={t('branding.previewText')}>
      <div class="brand-previews">
        {(['light', 'dark'] as const).map((theme) => (
          <div
            key={theme}
            class="brand-preview"
            data-theme={theme}
            style={{ '--shown': readable(color, theme === 'light' ? '#ffffff' : '#1e1c1a'), colorScheme: theme }}>
            <span class="row">
              {icon ? <img src={icon} alt="" width={24} height={24} /> : <Mark size={24} />}
              <strong class="cut">{look.name}</strong>
            </span>
            <span class="brand-button">{t('signIn.submit')}</span>
          </div>
        ))}
      </div>
    </Panel>
  );
}

/** Object URL of a file before its upload; revoked on unmount. */
function usePicture(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) {
      setUrl(undefined);
      return undefined;
    }
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
