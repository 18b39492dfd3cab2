bar = Keep and share
undo = Undo
redo = Redo
copyLink = Copy link
linkCopied = Link copied
save = Save as file
open = Open file
tooLarge = This page holds more than fits in a link. Save it as a file to pass it on.
filesOnly = Images and sounds are kept in files only. A link opens the page without them.
dismiss = Close

# Why a link or a file opened the page as it begins.
problems-broken =
    .link = This link is damaged, so the page opens as it begins.
    .file = This file holds no state of a fovea page. The page stays as it was.

problems-version =
    .link = This link comes from another version of the page, so the page opens as it begins.
    .file = This file comes from another version of the page. The page stays as it was.

problems-large =
    .link = This link is too long to be read, so the page opens as it begins.
    .file = This file is larger than 32 MB, so it is not read.

problems-refused =
    .link = A part of this link does not belong to this page. That part is left as it begins.
    .file = A part of this file does not belong to this page. That part is left as it begins.
