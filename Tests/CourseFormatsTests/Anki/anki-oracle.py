"""Imports a package or a text with Anki's own library and prints the cards as lines of JSON.

    anki-oracle.py FILE.apkg|FILE.colpkg|FILE.txt [--progress]

A card is {"guid", "ord", "deck", "tags", "question", "answer", "due"}; `due` is the date on which a card in review is due. A media file is {"media", "bytes"}. Anki is a separate program here: nothing of it is part of Waymark.
"""
import datetime
import json
import os
import re
import sys
import tempfile

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest, ImportCsvRequest


def main(path, progress):
    with tempfile.TemporaryDirectory() as folder:
        collection = Collection(os.path.join(folder, "collection.anki2"))
        if path.endswith(".txt"):
            metadata = collection.get_csv_metadata(path, None)
            collection.import_csv(ImportCsvRequest(path=path, metadata=metadata))
        elif path.endswith(".colpkg"):
            collection.close()
            from anki import import_export_pb2
            collection = Collection(os.path.join(folder, "collection.anki2"))
            collection.close_for_full_sync()
            collection._backend.import_collection_package(
                col_path=os.path.join(folder, "collection.anki2"), backup_path=path,
                media_folder=os.path.join(folder, "collection.media"), media_db=os.path.join(folder, "media.db"))
            collection.reopen()
        else:
            options = ImportAnkiPackageOptions(with_scheduling=progress, with_deck_configs=False)
            collection.import_anki_package(ImportAnkiPackageRequest(package_path=path, options=options))
        # A day begins at 4 in the morning.
        now = datetime.datetime.now() - datetime.timedelta(hours=4)
        today = collection.sched.today
        for number in collection.find_cards(""):
            card = collection.get_card(number)
            note = card.note()
            style = re.compile(r"(?s)^<style>.*?</style>")
            print(json.dumps({
                "guid": note.guid, "deck": collection.decks.name(card.did), "tags": note.tags,
                "question": style.sub("", card.question()), "answer": style.sub("", card.answer()), "ord": card.ord,
                "due": str(now.date() + datetime.timedelta(days=card.due - today)) if card.type == 2 else None,
            }, ensure_ascii=False, sort_keys=True))
        media = os.path.join(folder, "collection.media")
        for name in sorted(os.listdir(media)) if os.path.isdir(media) else []:
            with open(os.path.join(media, name), "rb") as file:
                print(json.dumps({"media": name, "bytes": file.read().hex()}, ensure_ascii=False, sort_keys=True))
        collection.close()


main(sys.argv[1], "--progress" in sys.argv)
