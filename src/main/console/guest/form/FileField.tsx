import { useState } from 'preact/hooks';
import { Icon } from '../Icon';
import { sizeOf } from '../size';
import { t } from '../text';
import type { Wiring } from './inputs';

interface Props {
  name: string;
  wiring: Wiring;
  file: File | undefined;
  onFile: (file: File | undefined) => void;
}

/** The control is a native file input, which screen readers know. */
export function FileField({ name, wiring, file, onFile }: Props) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer?.files[0];
    if (dropped && !wiring.disabled) {
      onFile(dropped);
    }
  };
  return (
    <div
      class="drop"
      data-over={over || undefined}
      data-invalid={wiring['aria-invalid']}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}>
      <input
        class="visually-hidden"
        type="file"
        name={name}
        {...wiring}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen) {
            onFile(chosen);
          }
        }}
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
      />
      {file ? (
        <span class="row">
          <Icon name="file" />
          <span class="cut">{file.name}</span>
          <span class="faint">{sizeOf(file.size)}</span>
          <span class="spread" />
          <button
            class="button quiet small icon-only"
            type="button"
            disabled={wiring.disabled}
            aria-label={t('form.file.remove', { name: file.name })}
            onClick={() => onFile(undefined)}>
            <Icon name="x" />
          </button>
        </span>
      ) : (
        <label class="row" for={wiring.id}>
          <Icon name="upload" />
          <span>
            <strong>{t('form.file.choose')}</strong> <span class="faint wide-only">{t('form.file.drop')}</span>
          </span>
        </label>
      )}
    </div>
  );
}
