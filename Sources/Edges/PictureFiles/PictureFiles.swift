// PictureFiles: see docs/architecture.md.
