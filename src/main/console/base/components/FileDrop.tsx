import { t } from '../text';
import { Field, type FieldFrame } from './Field';
import { Icon } from './Icon';
import { useFileDrop } from './useFileDrop';

type Props = FieldFrame & {
  accept: string;
  multiple?: boolean;
  chosen: readonly string[];
  onFiles: (files: File[]) => void;
};

/** The control is a native file input, which screen readers know. */
export function FileDrop({ accept, multiple = false, chosen, onFiles, ...frame }: Props) {
  const drop = useFileDrop(true, (files) => onFiles(multiple ? files : files.slice(0, 1)));
  return (
    <Field {...frame}>
      {(wiring) => (
        <div class="file-drop" {...drop} data-invalid={wiring['aria-invalid']}>
          <input
            {...wiring}
            class="visually-hidden"
            type="file"
            accept={accept}
            multiple={multiple}
            onClick={(event) => {
              event.currentTarget.value = '';
            }}
            onChange={(event) => {
              const files = [...(event.currentTarget.files ?? [])];
              if (files.length > 0) {
                onFiles(files);
              }
            }}
          />
          <label class="row" for={wiring.id}>
            <Icon name={chosen.length > 0 ? 'file' : 'upload'} />
            <span class="file-drop-words">
              {chosen.length > 0 ? (
                chosen.join(', ')
              ) : (
                <>
                  <strong>{t(multiple ? 'base.chooseFiles' : 'base.chooseFile')}</strong>{' '}
                  <span class="faint">{t('base.dropHint')}</span>
                </>
              )}
            </span>
          </label>
        </div>
      )}
    </Field>
  );
}
